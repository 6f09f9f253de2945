#!/usr/bin/env python3
"""A proxy for apt that has no file whose address matches.

usage: broken_mirror.py PATTERN

Prints its port on the loopback interface, and serves until it is ended. What does
not match PATTERN, a regular expression, is fetched as this machine's own apt would.
"""
import http.server
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request


class Proxy(http.server.BaseHTTPRequestHandler):
    missing = None
    upstream = None

    def do_GET(self):
        if self.missing.search(urllib.request.unquote(self.path)):
            self.send_error(404)
            return
        headers = {name: value for name, value in self.headers.items()
                   if name in ("Range", "If-Modified-Since", "If-Range")}
        try:
            answer = self.upstream.open(urllib.request.Request(self.path, headers=headers),
                                        timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        except OSError as error:
            self.send_error(502, str(error))
            return
        with answer:
            self.send_response(answer.status)
            for name in ("Content-Length", "Content-Range", "Last-Modified"):
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.end_headers()
            shutil.copyfileobj(answer, self.wfile)

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) != 2:
        print("broken_mirror.py: one PATTERN is wanted", file=sys.stderr)
        return 2
    Proxy.missing = re.compile(sys.argv[1])
    proxy = subprocess.run(["apt-config", "dump", "--format", "%v", "Acquire::http::Proxy"],
                           stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    Proxy.upstream = urllib.request.build_opener(
        urllib.request.ProxyHandler({"http": proxy} if proxy else {}))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
