import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.javalin.Javalin;
import io.javalin.http.BadRequestResponse;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.UnauthorizedResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The plant store with Javalin, made to keep the contract. */
public class Careful {
    // A tree, not a class: binding turns 1.5 into 1, 7 into "7", null into an absent tag.
    private static final JsonMapper MAPPER = JsonMapper.builder()
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .build();
    private static final Pattern BEARER = Pattern.compile("(?i:bearer) +(.*)");

    static void authorize(Context ctx, byte[] token) {
        String header = ctx.header("Authorization");
        Matcher m = BEARER.matcher(header == null ? "" : header);
        if (!m.matches() || !MessageDigest.isEqual(m.group(1).getBytes(StandardCharsets.UTF_8), token)) {
            ctx.header("WWW-Authenticate", "Bearer");
            throw new UnauthorizedResponse();
        }
    }

    static Map<String, String> plant(byte[] body) {
        JsonNode node;
        try {
            // Decode first: Jackson would also take UTF-16 and UTF-32.
            String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
            node = MAPPER.readTree(text);
        } catch (CharacterCodingException | JsonProcessingException e) {
            throw new BadRequestResponse("not JSON: " + e.getMessage());
        }
        if (!node.isObject()) {
            throw new BadRequestResponse("an object is required");
        }
        JsonNode id = node.get("id"), name = node.get("name"), tag = node.get("tag");
        if (id == null || !id.isIntegralNumber() || !id.canConvertToLong()) {
            throw new BadRequestResponse("id: an int64 is required");
        }
        if (name == null || !name.isTextual()) {
            throw new BadRequestResponse("name: a string is required");
        }
        if (tag != null && !tag.isTextual()) {
            throw new BadRequestResponse("tag: not a string");
        }
        Map<String, String> plant = new LinkedHashMap<>();
        plant.put("name", name.textValue());
        if (tag != null) {
            plant.put("tag", tag.textValue());
        }
        return plant;
    }

    public static void main(String[] args) {
        byte[] token = System.getenv("TOKEN").getBytes(StandardCharsets.UTF_8);
        // Jetty keeps the headers of a connection and finds them again without regard to case:
        // after one right token, the same in capitals would be read as the right one.
        // HEADER_CACHE shows the fault (default) and the other way to mend it (none).
        String cache = System.getenv().getOrDefault("HEADER_CACHE", "case-sensitive");
        Javalin.create(config -> config.jetty.modifyHttpConfiguration(http -> {
                if (cache.equals("case-sensitive")) {
                    http.setHeaderCacheCaseSensitive(true);
                } else if (cache.equals("none")) {
                    http.setHeaderCacheSize(0);
                }
            }))
            .before(ctx -> authorize(ctx, token))
            .post("/plants", ctx -> ctx.json(plant(ctx.bodyAsBytes())))
            .exception(HttpResponseException.class, (e, ctx) ->
                ctx.status(e.getStatus()).json(Map.of("error", e.getStatus(), "message", e.getMessage())))
            .start("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    }
}
