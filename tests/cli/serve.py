#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`flamebeat serve` over its socket. The names S1 to S12 are those of the security checklist."""

import http.client
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest
from urllib.parse import urlencode

import tap
from case import IS_FULL, Case

EXAMPLE = os.path.join(tap.EXAMPLES, "server.perf.gz")
ESCAPED_SLASH = "%2f"


class Server:
    """The program, serving; `cache` is its XDG_CACHE_HOME."""

    def __init__(self, cache, *args):
        environment = {**tap.CLEAN, "XDG_CACHE_HOME": cache}
        self.process = subprocess.Popen(
            [tap.PROGRAM, "serve", *args], env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.url = self.process.stdout.readline().decode().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#t=([0-9a-f]{64})", self.url)
        if match is None:
            raise AssertionError((self.url, self.process.communicate()[1]))
        self.port, self.token = int(match.group(1)), match.group(2)
        self.host = f"127.0.0.1:{self.port}"

    def stop(self, number=signal.SIGINT, timeout=20):
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=timeout)
        return self.process.returncode, errors.decode()

    # --- requests -------------------------------------------------------------------------

    def raw(self, request, timeout=10):
        """Everything that is answered to the bytes `request` until the server closes or waits."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as link:
            link.sendall(request)
            link.settimeout(timeout)
            return read_response(link)

    def head(self, *lines, method="GET", target="/", version="HTTP/1.1", host=True):
        fields = ([f"Host: {self.host}"] if host else []) + list(lines) + ["Connection: close"]
        return f"{method} {target} {version}\r\n".encode() + "".join(
            field + "\r\n" for field in fields).encode("latin-1") + b"\r\n"

    def status(self, *lines, **settings):
        return self.raw(self.head(*lines, **settings))[0]

    def get(self, target, headers=None, token=True, method="GET"):
        """(status, headers, body) by an ordinary client."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            link.request(method, target, headers={
                **({"X-Token": self.token} if token else {}), **(headers or {})})
            answer = link.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            link.close()

    def recordings(self):
        return json.loads(self.get("/api/v1/recordings")[2])["recordings"]

    def command(self, recording, command, *pairs, **settings):
        """As get(), once the recording was read."""
        query = "?" + urlencode(pairs) if pairs else ""
        while True:
            answer = self.get(f"/api/v1/recordings/{recording}/{command}{query}", **settings)
            if answer[0] != 202:
                return answer
            time.sleep(0.05)


def read_response(link):
    """(status, headers as text, body); status 0 where the connection was closed without one."""
    data = b""
    try:
        while True:
            block = link.recv(65536)
            if not block:
                break
            data += block
    except (ConnectionResetError, TimeoutError):
        pass
    head, _, body = data.partition(b"\r\n\r\n")
    match = re.match(rb"HTTP/1\.[01] (\d{3})", head)
    return (int(match.group(1)) if match else 0), head.decode("latin-1"), body


class ServeCase(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cache = os.path.join(cls.folder, "cache")
        cls.server = Server(cls.cache, EXAMPLE)
        cls.addClassCleanup(cls.end)
        cls.recording = cls.server.recordings()[0]["id"]

    @classmethod
    def end(cls):
        status, errors = cls.server.stop()
        if status != 0 or "Sanitizer" in errors:
            raise AssertionError((status, errors))


class Gate(ServeCase):
    def test_s1_listens_on_loopback_alone(self):
        inodes = set()
        for number in os.listdir(f"/proc/{self.server.process.pid}/fd"):
            try:
                link = os.readlink(f"/proc/{self.server.process.pid}/fd/{number}")
            except OSError:
                continue
            inodes.add(link.removeprefix("socket:[").removesuffix("]"))
        listening = []
        for name in ("tcp", "tcp6"):
            with open(f"/proc/{self.server.process.pid}/net/{name}", encoding="ascii") as file:
                rows = [line.split() for line in file.readlines()[1:]]
            listening += [row[1] for row in rows if row[9] in inodes and row[3] == "0A"]
        self.assertEqual(listening, [f"0100007F:{self.server.port:04X}"])

    def test_s2_there_is_no_way_to_listen_elsewhere(self):
        for option in ("--listen=0.0.0.0", "--allow-remote", "--host=0.0.0.0"):
            self.assertEqual(tap.flamebeat("serve", option, EXAMPLE).returncode, 2)

    def test_s3_exactly_one_right_host(self):
        port, server = self.server.port, self.server
        for good in (f"127.0.0.1:{port}", f"localhost:{port}"):
            self.assertEqual(server.status(f"Host: {good}", host=False), 200, good)
        for bad in ("", "evil.example", f"evil.example:{port}", f"evil.localhost.example:{port}",
                    "127.0.0.1", "localhost", f"127.0.0.1:{port + 1}", f"localhost:{port}.",
                    f"localhost.:{port}", f"LOCALHOST:{port}", f"127.0.0.1:0{port}",
                    f"127.1:{port}", f"[::1]:{port}", f"user@127.0.0.1:{port}",
                    f"127.0.0.1:{port}, evil.example", "x" * 8192, f"local\0host:{port}",
                    f"127.0.0.1:{port}\0", f"127.0.0.1:{port}/"):
            status, _, body = server.raw(server.head(f"Host: {bad}", host=False))
            self.assertIn(status, (0, 400, 421), bad[:60])
            if status == 421:
                self.assertEqual(body, b"", bad[:60])

    def test_s3_requests_that_servers_tolerate(self):
        port, host, server = self.server.port, self.server.host, self.server
        own = f"Host: {host}\r\n"
        refused = {
            "no host": b"GET / HTTP/1.1\r\n\r\n",
            "two hosts": f"GET / HTTP/1.1\r\n{own}Host: evil.example\r\n\r\n".encode(),
            "the same host twice": f"GET / HTTP/1.1\r\n{own}{own}\r\n".encode(),
            "absolute form": f"GET http://evil.example/ HTTP/1.1\r\n{own}\r\n".encode(),
            "absolute form, own": f"GET http://{host}/ HTTP/1.1\r\n{own}\r\n".encode(),
            "blank before the colon": f"GET / HTTP/1.1\r\nHost : {host}\r\n\r\n".encode(),
            "nul in the host": f"GET / HTTP/1.1\r\nHost: 127.0.0.1\0:{port}\r\n\r\n".encode(),
            "folded host": f"GET / HTTP/1.1\r\nHost: {host}\r\n evil\r\n\r\n".encode(),
            "dots": f"GET /../../etc/passwd HTTP/1.1\r\n{own}\r\n".encode(),
            "escaped dots": f"GET /%2e%2e%2fetc HTTP/1.1\r\n{own}\r\n".encode(),
            "escaped nul": f"GET /a%00b HTTP/1.1\r\n{own}\r\n".encode(),
            "length and chunks": (f"GET / HTTP/1.1\r\n{own}Content-Length: 3\r\n"
                                  "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").encode(),
            "100 KB of head": f"GET / HTTP/1.1\r\n{own}X: {'a' * 100000}\r\n\r\n".encode(),
            "5,000 fields": f"GET / HTTP/1.1\r\n{own}{'X: y' + chr(13) + chr(10)}".encode()
                            + b"X: y\r\n" * 5000 + b"\r\n",
            "HTTP/1.0": f"GET / HTTP/1.0\r\n{own}\r\n".encode(),
        }
        for name, request in refused.items():
            status, _, body = server.raw(request)
            self.assertTrue(status == 0 or 400 <= status < 500, (name, status))
            self.assertNotIn(b"flamebeat", body, name)

    def test_s4_origin_and_fetch_site_before_routing(self):
        server = self.server
        own = f"http://{server.host}"
        for origin in (own, f"http://localhost:{server.port}"):
            self.assertEqual(server.status(f"Origin: {origin}"), 200)
        for origin in ("null", "", "http://evil.example", f"https://{server.host}", own + "/",
                       own + ".evil.example", "http://127.0.0.1", own.upper()):
            for target in ("/", "/nothing", "/api/v1/recordings"):
                for method in ("GET", "HEAD", "POST", "OPTIONS"):
                    status = server.status(f"Origin: {origin}", f"X-Token: {server.token}",
                                           target=target, method=method)
                    self.assertEqual(status, 403, (origin, target, method))
        self.assertEqual(server.status(f"Origin: {own}", "Origin: http://evil.example"), 403)
        for site, expected in (("same-origin", 200), ("none", 200), ("cross-site", 403),
                               ("same-site", 403), ("", 403), ("SAME-ORIGIN", 403)):
            self.assertEqual(server.status(f"Sec-Fetch-Site: {site}"), expected, site)

    def test_s5_no_cors(self):
        server = self.server
        for method in ("OPTIONS", "POST", "PUT", "DELETE", "TRACE", "PATCH", "CONNECT", "get"):
            status, head, _ = server.raw(server.head(
                "Access-Control-Request-Method: GET", method=method, target="/"))
            self.assertIn(status, (0, 400, 405), method)
            self.assertNotIn("access-control", head.lower())
        self.assertEqual(server.status(method="OPTIONS"), 405)
        for target in ("/", "/api/v1/recordings", "/nothing"):
            self.assertNotIn("access-control", str(server.get(target)[1]).lower())

    def test_s6_token(self):
        server = self.server
        targets = ("/api/v1/recordings", f"/api/v1/recordings/{self.recording}/info", "/api/", "/api/x")
        wrong = ["", "0" * 64, server.token[:-1], server.token + "0", server.token.upper() + "x",
                 server.token[:-1] + ("0" if server.token[-1] != "0" else "1")]
        for target in targets:
            self.assertEqual(server.status(target=target), 403)
            for token in wrong:
                self.assertEqual(server.status(f"X-Token: {token}", target=target), 403)
            self.assertEqual(server.status(f"X-Token: {server.token}", "X-Token: x",
                                           target=target), 403)
            self.assertEqual(server.status(f"Cookie: token={server.token}", target=target), 403)
            self.assertEqual(server.status(target=f"{target}?t={server.token}"), 403)
        other = Server(self.cache, EXAMPLE)
        self.assertNotEqual(other.token, server.token)
        _, errors = other.stop()
        self.assertNotIn(other.token, errors)

    def test_s7_bodies_and_expectations_are_refused(self):
        server = self.server
        for field in ("Content-Length: 5", "Transfer-Encoding: chunked", "Content-Length: -1",
                      "Content-Length: 99999999999999999999", "Transfer-Encoding: gzip"):
            for method in ("GET", "HEAD"):
                request = server.head(field, method=method) + b"hello"
                status = server.raw(request)[0]
                self.assertTrue(status == 0 or 400 <= status < 500, (field, status))
        self.assertEqual(server.status("Expect: 100-continue"), 400)
        self.assertEqual(server.status("Content-Length: 0"), 200)

    def test_s8_routes_are_a_fixed_table(self):
        server, token = self.server, f"X-Token: {self.server.token}"
        names = ["..", "%2e%2e", ".%2e", "%2f", "%5c", "%00", "%c0%ae%c0%ae", "\\", "a" * 4096,
                 EXAMPLE, "etc/passwd", "index.html", "style.css/", "app.js%00", "%252e", ".",
                 "//etc/passwd", "app.js;x", "APP.JS"]
        for name in names:
            for prefix in ("/", "//", "/api/v1/recordings/", f"/api/v1/recordings/{self.recording}/",
                           f"/api/v1/recordings/{self.recording}/../"):
                status, _, body = server.raw(server.head(token, target=prefix + name))
                self.assertTrue(400 <= status < 500 or status == 0, (prefix + name, status))
                self.assertNotIn(b"root:", body)
        self.assertEqual(server.status(token, target="/" + "a" * 20000) // 100, 4)

    def test_s8_links_in_a_folder_lead_nowhere(self):
        folder = self.path("links")
        os.makedirs(folder)
        os.symlink("/etc/passwd", os.path.join(folder, "a"))
        os.symlink(EXAMPLE, os.path.join(folder, "b"))
        server = Server(self.cache, folder)
        try:
            rows = server.recordings()
            self.assertEqual([row["state"] for row in rows], ["failed", "failed"])
            self.assertIn("symbolic link", rows[0]["error"])
            for row in rows:
                status, _, body = server.command(row["id"], "info")
                self.assertEqual(status, 422)
                self.assertIn(b"symbolic link", body)
        finally:
            server.stop()

    def test_s8_keys_that_would_leave_the_recording(self):
        for key in ("output", "perf", "symfs", "kallsyms", "threads", "quiet", "strict", "help",
                    "force", "o", "-o", "--output", "base", "max-frames"):
            status, _, body = self.server.command(self.recording, "slice", (key, "/tmp/x"))
            self.assertIn(status, (400, 404), key)
            self.assertIn(b"error", body)

    def test_s9_a_slow_client_does_not_hold_others_up(self):
        server = self.server
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(200)]
        try:
            for link in slow:
                link.sendall(b"GET / HTTP/1.1\r\nHost: ")
            reader = socket.create_connection(("127.0.0.1", server.port))
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            reader.sendall(server.head(f"X-Token: {server.token}",
                                       target=f"/api/v1/recordings/{self.recording}/slice?format=svg"))
            slow.append(reader)
            server.command(self.recording, "info")
            for _ in range(5):
                begin = time.monotonic()
                self.assertEqual(server.command(self.recording, "slice", ("format", "flat"))[0], 200)
                self.assertLess(time.monotonic() - begin, 1 if not IS_FULL else 5)
        finally:
            for link in slow:
                link.close()

    def test_s9_a_head_that_never_ends_is_cut_off(self):
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as link:
            link.sendall(b"GET / HTTP/1.1\r\n")
            begin = time.monotonic()
            link.setblocking(False)
            while time.monotonic() - begin < 25:
                try:
                    link.send(b"X: y\r\n")
                    if link.recv(1000) == b"":
                        break
                except BlockingIOError:
                    pass
                except OSError:
                    break
                time.sleep(0.5)
            self.assertLess(time.monotonic() - begin, 20)

    def test_s10_headers_of_every_answer(self):
        server = self.server
        targets = ["/", "/app.js", "/style.css", "/icon.svg", "/nothing", "/api/v1/recordings",
                   f"/api/v1/recordings/{self.recording}/slice?format=svg", "/api/v1/recordings/x/info",
                   f"/api/v1/recordings/{self.recording}/heatmap?format=png"]
        server.command(self.recording, "info")
        for target in targets:
            for settings in ({}, {"token": False}, {"method": "HEAD"}):
                status, headers, body = server.get(target, **settings)
                policy = headers["Content-Security-Policy"]
                self.assertIn("default-src 'none'", policy)
                self.assertIn("frame-ancestors 'none'", policy)
                self.assertNotIn("unsafe", policy)
                self.assertEqual("sandbox" in policy, "format=svg" in target and status == 200)
                self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
                self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
                self.assertEqual(headers["Cross-Origin-Opener-Policy"], "same-origin")
                self.assertEqual(headers["Referrer-Policy"], "no-referrer")
                self.assertEqual(headers["Cache-Control"], "private, no-cache")
                if status < 400:
                    kind = headers["Content-Type"]
                    self.assertTrue("charset=utf-8" in kind or not kind.startswith("text/"), kind)
                if settings.get("method") == "HEAD":
                    self.assertEqual(body, b"")

    def test_s11_mutated_requests_never_end_it(self):
        server, rng = self.server, random.Random(11)
        seeds = [server.head(), server.head(f"X-Token: {server.token}", "Origin: null"),
                 server.head(f"X-Token: {server.token}", target="/api/v1/recordings"),
                 server.head(f"X-Token: {server.token}",
                             target=f"/api/v1/recordings/{self.recording}/slice?range=1..2&format=json")]
        for _ in range(100000 if IS_FULL else 1500):
            request = mutate(rng, rng.choice(seeds))
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
                link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                link.sendall(request)
                if rng.random() < 0.2:
                    link.settimeout(0.02)
                    read_response(link)
        self.assertIsNone(server.process.poll())
        self.assertEqual(server.get("/")[0], 200)


def mutate(rng, request):
    data = bytearray(request)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(data))
        choice = rng.random()
        if choice < 0.4:
            data[at] = rng.randrange(256)
        elif choice < 0.6:
            del data[at:at + rng.randint(1, 20)]
        elif choice < 0.8:
            data[at:at] = rng.choice([b"\r\n", b"\0", b"%", b"\r\n\r\n", b" ", b"A" * 3000, b":"])
        else:
            data[at:at] = data[rng.randrange(len(data)):][:50]
        if not data:
            data = bytearray(b"x")
    return bytes(data)


class Api(ServeCase):
    QUERIES = [
        ("info", ("json", "1")), ("info",),
        ("heatmap", ("format", "json")), ("heatmap", ("format", "json"), ("rows", "49")),
        ("heatmap", ("scale", "log"), ("palette", "viridis")),
        ("heatmap", ("format", "term")),
        ("slice",), ("slice", ("format", "tree")), ("slice", ("format", "flat"), ("width", "900")),
        ("slice", ("format", "json"), ("range", "4.38..4.7"), ("range", "8.3..8.7")),
        ("slice", ("format", "folded"), ("every", "4s"), ("phase", "0.1..0.2")),
        ("slice", ("format", "png"), ("reverse", "1")),
        ("slice", ("format", "svg"), ("match", "tcp_"), ("title", "a 'b' & <c>")),
        ("top", ("json", "1"), ("by", "thread")), ("top",), ("top", ("csv", "1")),
        ("slice", ("format", "folded"), ("comm", "^srv|client"), ("idle", "keep")),
    ]

    def test_the_same_query_gives_the_same_bytes(self):
        for command, *pairs in self.QUERIES:
            switches = ("json", "csv", "reverse")
            words = [f"--{key}" if key in switches else f"--{key}={value}" for key, value in pairs]
            expected = self.ok(command, EXAMPLE, *words)
            status, headers, body = self.server.command(self.recording, command, *pairs)
            self.assertEqual(status, 200, (command, pairs, body[:300]))
            self.assertEqual(body, expected, (command, pairs))
            self.assertEqual(int(headers["Content-Length"]), len(expected))

    def test_errors_are_the_commands(self):
        for command, *pairs in [("slice", ("range", "x")), ("heatmap", ("column", "0")),
                                ("slice", ("format", "nothing")), ("top", ("by", "x")),
                                ("slice", ("range", "14:00..15:00"))]:
            result = tap.flamebeat(command, EXAMPLE, *[f"--{key}={value}" for key, value in pairs])
            status, _, body = self.server.command(self.recording, command, *pairs)
            answer = json.loads(body)
            self.assertEqual((status, answer["status"]), (400, result.returncode))
            last = result.stderr.decode().splitlines()[-1]
            self.assertEqual("flamebeat: " + answer["error"], last)

    def test_notes_come_with_the_bytes(self):
        _, headers, _ = self.server.command(self.recording, "slice", ("format", "folded"), ("match", "zz"))
        self.assertIn("no%20sample%20passes", headers["Flamebeat-Notes"])

    def test_etags(self):
        for target in ("/app.js", f"/api/v1/recordings/{self.recording}/slice?format=json"):
            self.server.command(self.recording, "info")
            status, headers, body = self.server.get(target)
            tag = headers["ETag"]
            if target == "/app.js" and tag is None:
                continue
            self.assertEqual(status, 200)
            status, headers, again = self.server.get(target, {"If-None-Match": tag})
            self.assertEqual((status, again, headers["ETag"]), (304, b"", tag))
            self.assertEqual(self.server.get(target, {"If-None-Match": '"x"'})[2], body)

    def test_bad_queries(self):
        for query in ("?=x", "?a%", "?a=%0", "?a=%zz", "?range=%00", "?%00=1", "?nothing=1",
                      "?reverse=2", "?format=flat&format"):
            target = f"/api/v1/recordings/{self.recording}/slice{query}"
            self.assertEqual(self.server.get(target)[0], 400, query)
        self.assertEqual(self.server.get("/api/v1/recordings/nothing/slice")[0], 404)
        self.assertEqual(self.server.get(f"/api/v1/recordings/{self.recording}/record")[0], 404)

    def test_identical_questions_at_once(self):
        pairs = [("format", "svg"), ("title", "at once")]
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(
            self.server.command(self.recording, "slice", *pairs)[2])) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(answers), 12)
        self.assertEqual(len(set(answers)), 1)


class Recordings(Case):
    def serve(self, *args):
        server = Server(self.path("cache"), *args)
        self.addCleanup(lambda: server.process.poll() is None and server.stop())
        return server

    def test_a_folder_is_listed_and_listed_again(self):
        folder = self.path("folder")
        os.makedirs(os.path.join(folder, "sub"))
        with open(EXAMPLE, "rb") as file:
            data = file.read()
        self.path("folder/b.gz", data)
        self.path("folder/.hidden", data)
        self.path("folder/junk", b"\0\1\2 not a recording\n" * 10)
        os.mkfifo(os.path.join(folder, "pipe"))
        server = self.serve(folder)
        self.assertEqual([row["name"] for row in server.recordings()], ["b.gz", "junk", "pipe"])
        pipe = server.recordings()[2]
        self.assertEqual(pipe["state"], "failed")
        self.assertIn("not a regular file", pipe["error"])
        junk = server.recordings()[1]["id"]
        status, _, body = server.command(junk, "info")
        self.assertEqual(status, 422, body)
        self.assertEqual(server.recordings()[1]["state"], "failed")
        self.assertTrue(server.recordings()[1]["error"])
        self.path("folder/a.gz", data)
        names = {row["name"] for row in server.recordings()}
        self.assertEqual(names, {"a.gz", "b.gz", "junk", "pipe"})

    def ring_file(self, name, start, host="vm"):
        header = f"# ========\n# hostname : {host}\n# ========\n#\n"
        samples = "".join(f"app 7 [000] {start + i / 10:.6f}: 1 cycles:\n\tab run (/bin/app)\n\n"
                          for i in range(20))
        return self.path(name, (header + samples).encode())

    def test_consecutive_files_are_offered_as_one(self):
        os.makedirs(self.path("ring"))
        files = [self.ring_file("ring/perf-08.txt", 100), self.ring_file("ring/perf-9.txt", 102)]
        self.ring_file("ring/other.txt", 500)
        server = self.serve(self.path("ring"))
        rows = server.recordings()
        self.assertEqual([row["name"] for row in rows],
                         ["other.txt", "perf-08.txt", "perf-9.txt", "perf-N.txt as one"])
        ring = rows[-1]
        self.assertEqual(ring["paths"], files)
        for command, *options in (("slice", ("format", "folded")), ("heatmap", ("format", "json")),
                                  ("info", ("json", "1"))):
            status, _, body = server.command(ring["id"], command, *options)
            words = [f"--{key}" if value == "1" else f"--{key}={value}" for key, value in options]
            self.assertEqual((status, body), (200, self.ok(command, *files, *words)))
        self.assertEqual(json.loads(body)["samples"], 40)
        files.append(self.ring_file("ring/perf-10.txt", 104))
        self.assertEqual(sorted(server.recordings()[3]["paths"]), sorted(files))
        body = server.command(ring["id"], "info", ("json", "1"))[2]
        self.assertEqual(json.loads(body)["samples"], 60)
        self.ring_file("ring/perf-11.txt", 106, host="another")
        status, _, body = server.command(ring["id"], "info")
        self.assertEqual(status, 200)  # listed anew only by the list
        server.recordings()
        status, _, body = server.command(ring["id"], "info")
        self.assertEqual(status, 422)
        self.assertIn("another", json.loads(body)["error"])

    def test_a_file_that_changes_is_read_anew(self):
        path = self.path("x.folded", b"a;b 1\n")
        server = self.serve(path)
        row = server.recordings()[0]
        first = server.command(row["id"], "slice", ("format", "folded"))
        self.assertEqual(first[2], b"a;b 1\n")
        self.assertEqual(server.recordings()[0]["state"], "ready")
        self.path("x.folded", b"a;c 22\n")
        second = server.command(row["id"], "slice", ("format", "folded"))
        self.assertEqual(second[2], b"a;c 22\n")
        self.assertNotEqual(first[1]["ETag"], second[1]["ETag"])
        os.unlink(path)
        self.assertEqual(server.command(row["id"], "info")[0], 422)

    def test_the_cache_is_private_and_used(self):
        server = self.serve(EXAMPLE)
        row = server.recordings()[0]["id"]
        before = server.command(row, "slice", ("format", "folded"))[2]
        server.stop()
        cache = os.path.join(self.path("cache"), "flamebeat")
        self.assertEqual(os.stat(cache).st_mode & 0o777, 0o700)
        kept = [os.path.join(cache, name) for name in os.listdir(cache)]
        self.assertTrue(all(path.endswith(".beat") for path in kept))
        self.assertTrue(all(os.stat(path).st_mode & 0o777 == 0o600 for path in kept))
        server = self.serve(EXAMPLE)
        self.assertEqual(server.command(row, "slice", ("format", "folded"))[2], before)
        server.stop()
        for path in kept:
            with open(path, "r+b") as file:
                file.truncate(100)
        server = self.serve(EXAMPLE)
        self.assertEqual(server.command(row, "slice", ("format", "folded"))[2], before)

    def test_a_cache_that_cannot_be_written(self):
        server = Server("/proc/nothing", EXAMPLE)
        try:
            row = server.recordings()[0]["id"]
            self.assertEqual(server.command(row, "slice", ("format", "folded"))[0], 200)
        finally:
            server.stop()

    def test_interrupts_end_it_at_once(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            server = self.serve(EXAMPLE)
            server.command(server.recordings()[0]["id"], "info")
            link = socket.create_connection(("127.0.0.1", server.port))
            link.sendall(b"GET / HT")
            begin = time.monotonic()
            status, errors = server.stop(number)
            self.assertEqual(status, 0, errors)
            self.assertLess(time.monotonic() - begin, 3)
            link.close()

    def test_usage(self):
        for args in (["--port=x"], ["--port=70000"], ["/nothing/there"]):
            result = tap.flamebeat("serve", *args, EXAMPLE)
            self.assertIn(result.returncode, (1, 2))
            self.check_calm(result)
        server = self.serve(EXAMPLE)
        taken = tap.flamebeat("serve", f"--port={server.port}", EXAMPLE)
        self.assertEqual(taken.returncode, 1)
        self.assertIn(b"cannot listen", taken.stderr)


class Load(ServeCase):
    def test_sixteen_clients_dragging(self):
        seconds = 60 if IS_FULL else 3
        expected = {}
        times, wrong = [], []
        self.server.command(self.recording, "info")
        end = time.monotonic() + seconds

        def drag(number):
            rng = random.Random(number)
            link = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
            while time.monotonic() < end:
                begin = rng.randrange(0, 19000, 100)
                query = f"range={begin}ms..{begin + rng.choice((100, 500, 1000))}ms&format=flat"
                start = time.monotonic()
                link.request("GET", f"/api/v1/recordings/{self.recording}/slice?{query}",
                             headers={"X-Token": self.server.token})
                answer = link.getresponse()
                body = answer.read()
                times.append(time.monotonic() - start)
                if answer.status != 200 or expected.setdefault(query, body) != body:
                    wrong.append((query, answer.status))
            link.close()

        before = self.memory()
        threads = [threading.Thread(target=drag, args=(i,)) for i in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        times.sort()
        p99 = times[int(len(times) * 0.99)]
        print(f"# {len(times)} slices in {seconds} s by 16 clients: median "
              f"{1e3 * times[len(times) // 2]:.1f} ms, p99 {1e3 * p99:.1f} ms, memory "
              f"{before} -> {self.memory()} kB")
        self.assertEqual(wrong, [])
        self.assertGreater(len(times), 100)
        if not has_sanitizer():
            self.assertLess(self.memory() - before, 40000)

    def memory(self):
        with open(f"/proc/{self.server.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))


def has_sanitizer():
    with open(tap.PROGRAM, "rb") as file:
        return b"__asan_init" in file.read()


if __name__ == "__main__":
    tap.main()
