"""A stand-in for the gateway, whose answers a test gives, and a clock that moves by what a client waits."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from bursar_client.calls import World


class Seen:
    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers, self.body = method, path, headers, body


class Gateway:
    """`answers` are given in turn, the last one again and again: (status, body, headers), or a function of the request."""

    def __init__(self, *answers):
        self.requests = []
        self._answers = list(answers)
        self._lock = threading.Lock()
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                length = int(self.headers.get("content-length") or 0)
                seen = Seen(self.command, self.path, self.headers, self.rfile.read(length).decode())
                with gateway._lock:
                    gateway.requests.append(seen)
                    answer = gateway._answers.pop(0) if len(gateway._answers) > 1 else gateway._answers[0]
                if callable(answer):
                    answer = answer(seen)
                if answer in ("lost", "cut"):
                    if answer == "cut":
                        self.send_response(201)
                        self.send_header("content-length", "100")
                        self.end_headers()
                        self.wfile.write(b'{"id":')
                    self.close_connection = True
                    return
                status, body, headers = (*answer, {})[:3]
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response_only(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class Clock:
    def __init__(self, random=1.0):
        self.now, self.pauses, self.random = 0.0, [], random

    def world(self):
        return World(sleep=self.sleep, random=lambda: self.random, now=lambda: self.now)

    def sleep(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds


def refusal(code, message="No"):
    return {"error": {"code": code, "message": message, "requestId": "r-1", "timestamp": "2026-01-31T12:00:00.000Z"}}
