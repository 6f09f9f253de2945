#!/usr/bin/env python3
"""scripts/check-docs.py finds what it is there to find."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class CheckDocs(unittest.TestCase):
    def check(self, text, *options):
        with tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8") as document:
            document.write(text)
            document.flush()
            done = subprocess.run(
                [sys.executable, os.path.join(PROJECT, "scripts", "check-docs.py"), *options,
                 document.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode()

    def test_good_documents(self):
        for text in ("Prose.\n", "```sh\ntrue\n```\n", "```sh\necho a b\n```\n\n```output\na b\n```\n",
                     "```sh\nprintf '1\\n2\\n3\\n'\n```\n```output\n1\n...\n```\n",
                     "<!-- file: x -->\n```c\nint x;\n```\n```sh\ngrep -q 'int x' x\n```\n",
                     "<!-- not run: no -->\n```sh\nfalse\n```\n", "<!-- slow -->\n```sh\nfalse\n```\n",
                     "```sh\nmkdir d\n```\n```sh\ncd d\n```\n", "    round(h, k):\n"):
            with self.subTest(text=text):
                status, out = self.check(text)
                self.assertEqual(status, 0, out)

    def test_bad_documents(self):
        for text, message in (
                ("```sh\nfalse\n```\n", "exit status 1"),
                ("```sh\nfalse | true\n```\n", "exit status 1"),
                ("```sh\necho a\n```\n```output\nb\n```\n", "instead of"),
                ("```sh\necho a\n```\n```output\na\nb\n```\n", "instead of"),
                ("    ./scripts/test.sh\n", "outside of an sh block"),
                ("```\ncmake --build build\n```\n", "outside of an sh block"),
                ("[x](no/such/file.md)\n", "does not exist"),
                ("prose cuts the mark off\n<!-- slow -->\nprose\n```sh\nfalse\n```\n", "exit status 1")):
            with self.subTest(text=text):
                status, out = self.check(text)
                self.assertEqual(status, 1, out)
                self.assertIn(message, out)

    def test_runs_without_git(self):
        # A folder of programs without git, as on a system that has none.
        with tempfile.TemporaryDirectory() as programs:
            for name in ("bash", "env", "true"):
                os.symlink(shutil.which(name), os.path.join(programs, name))
            before = os.environ["PATH"]
            os.environ["PATH"] = programs
            try:
                status, out = self.check("```sh\ntrue\n```\n")
            finally:
                os.environ["PATH"] = before
        self.assertEqual(status, 0, out)

    def test_slow_blocks_run_when_asked(self):
        self.assertEqual(self.check("<!-- slow -->\n```sh\nfalse\n```\n", "--slow")[0], 1)


if __name__ == "__main__":
    unittest.main()
