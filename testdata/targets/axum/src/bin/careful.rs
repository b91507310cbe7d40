//! The plant store with axum, made to keep the contract.

use axum::{
    body::Bytes,
    extract::{rejection::BytesRejection, Request},
    http::{
        header::{AUTHORIZATION, WWW_AUTHENTICATE},
        StatusCode,
    },
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::post,
    Json, Router,
};
use serde::{Deserialize, Deserializer, Serialize};

/// Option<String> alone would take null for an absent tag.
fn given<'de, D: Deserializer<'de>>(d: D) -> Result<Option<String>, D::Error> {
    String::deserialize(d).map(Some)
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct NewPlant {
    id: i64,
    name: String,
    #[serde(default, deserialize_with = "given")]
    tag: Option<String>,
}

#[derive(Serialize)]
struct Plant {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
}

#[derive(Serialize)]
struct Error {
    error: i32,
    message: String,
}

fn refuse(status: StatusCode, message: impl ToString) -> Response {
    let error = Error { error: status.as_u16().into(), message: message.to_string() };
    (status, Json(error)).into_response()
}

async fn auth(request: Request, next: Next) -> Response {
    let wanted = std::env::var("TOKEN").unwrap();
    let sent = request.headers().get(AUTHORIZATION).and_then(|v| v.to_str().ok());
    match sent.and_then(|v| v.split_once(' ')) {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") && token.trim_start() == wanted => {
            next.run(request).await
        }
        _ => {
            let mut response = refuse(StatusCode::UNAUTHORIZED, "unauthorized");
            response.headers_mut().insert(WWW_AUTHENTICATE, "Bearer".parse().unwrap());
            response
        }
    }
}

async fn create_plant(body: Result<Bytes, BytesRejection>) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(e) => return refuse(e.status(), e.body_text()),
    };
    // A struct is also read from an array of its members: ask for an object first.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return refuse(StatusCode::BAD_REQUEST, "not an object");
    }
    match serde_json::from_slice::<NewPlant>(&body) {
        Ok(plant) => Json(Plant { name: plant.name, tag: plant.tag }).into_response(),
        Err(e) => refuse(StatusCode::BAD_REQUEST, e),
    }
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
