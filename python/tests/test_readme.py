"""The examples of the README run as they are printed, and print what stands below them."""

import contextlib
import io
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLE = re.compile(r"```python\n(.*?)```(?:\n|[^`])*?```text\n(.*?)```", re.DOTALL)


class ReadmeTest(unittest.TestCase):
    def test_examples(self):
        examples = EXAMPLE.findall((HERE.parent / "README.md").read_text())
        self.assertEqual(2, len(examples))
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        (folder / "results").mkdir()
        shutil.copy(HERE.parents[1] / "examples/reference/a1_rhopi.h5", folder / "results")
        shutil.copy(HERE / "a1_rhopi.json", folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder)
        for program, output in examples:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(program, "README.md", "exec"), {})
            self.assertEqual(output, printed.getvalue())


if __name__ == "__main__":
    unittest.main()
