import io.javalin.Javalin;
import io.javalin.http.UnauthorizedResponse;

/** The plant store as Javalin's documentation writes it: bodyAsClass and a before handler. */
public class Tutorial {
    public static class Plant {
        public String name;
        public String tag;
    }

    public static class NewPlant extends Plant {
        public long id;
    }

    public static void main(String[] args) {
        String token = System.getenv("TOKEN");
        Javalin.create()
            .before(ctx -> {
                if (!("Bearer " + token).equals(ctx.header("Authorization"))) {
                    throw new UnauthorizedResponse();
                }
            })
            .post("/plants", ctx -> {
                NewPlant created = ctx.bodyAsClass(NewPlant.class);
                Plant plant = new Plant();
                plant.name = created.name;
                plant.tag = created.tag;
                ctx.json(plant);
            })
            .start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
