"""The plant store as Flask's quickstart writes it."""

import os

from flask import Flask, request

app = Flask(__name__)


@app.post("/plants")
def create_plant():
    if request.headers.get("Authorization") != f"Bearer {os.environ['TOKEN']}":
        return {"error": 401, "message": "unauthorized"}, 401
    data = request.get_json()
    plant = {"name": data["name"]}
    if "tag" in data:
        plant["tag"] = data["tag"]
    int(data["id"])
    return plant
