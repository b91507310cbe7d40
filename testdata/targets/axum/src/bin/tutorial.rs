//! The plant store as axum's README writes it: a serde struct behind the Json extractor.

use axum::{
    extract::Request,
    http::{header::AUTHORIZATION, StatusCode},
    middleware::{self, Next},
    response::Response,
    routing::post,
    Json, Router,
};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[allow(dead_code)]
struct NewPlant {
    id: i64,
    name: String,
    tag: Option<String>,
}

#[derive(Serialize)]
struct Plant {
    name: String,
    tag: Option<String>,
}

async fn auth(request: Request, next: Next) -> Result<Response, StatusCode> {
    let token = std::env::var("TOKEN").unwrap();
    match request.headers().get(AUTHORIZATION).and_then(|v| v.to_str().ok()) {
        Some(value) if value == format!("Bearer {token}") => Ok(next.run(request).await),
        _ => Err(StatusCode::UNAUTHORIZED),
    }
}

async fn create_plant(Json(plant): Json<NewPlant>) -> Json<Plant> {
    Json(Plant { name: plant.name, tag: plant.tag })
}

#[tokio::main]
async fn main() {
    let app = Router::new()
        .route("/plants", post(create_plant))
        .layer(middleware::from_fn(auth));
    let address = format!("127.0.0.1:{}", std::env::var("PORT").unwrap());
    let listener = tokio::net::TcpListener::bind(address).await.unwrap();
    axum::serve(listener, app).await.unwrap();
}
