import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from companion.run.normalise import normalise, notebook_text


def executed(serial, printed="b\n"):
    """A notebook as papermill leaves it; `serial` stands for what differs between two executions."""
    cells = [
        new_markdown_cell("# Title"),
        new_code_cell('profile = "quick"  # a comment', metadata={"tags": ["parameters"]}, execution_count=1),
        new_code_cell(
            "show()",
            execution_count=3 + serial,
            metadata={
                "papermill": {"duration": serial},
                "execution": {"iopub.busy": str(serial)},
                "tags": [],
            },
            outputs=[
                new_output("stream", name="stdout", text=printed),
                new_output(
                    "execute_result",
                    data={"text/plain": f"<thing at 0x7f00{serial:08x}> in /tmp/run{serial}/x"},
                    execution_count=3 + serial,
                ),
                new_output("stream", name="stderr", text=f"/tmp/ipykernel_{serial}/12{serial}.py:1: \x1b[31mred"),
            ],
        ),
    ]
    book = new_notebook(cells=cells)
    book.metadata = nbformat.from_dict(
        {
            "papermill": {"start_time": str(serial), "input_path": f"/tmp/{serial}"},
            "kernelspec": {"name": "companion", "display_name": "x", "language": "python"},
            "language_info": {"name": "python", "version": f"3.11.{serial}"},
            "title": "kept",
        }
    )
    return book


def clean(serial, *printed):
    return normalise(executed(serial, *printed), {f"/tmp/run{serial}": "<run>"})


def test_two_executions_give_the_same_bytes_and_another_result_others():
    assert notebook_text(clean(1)) == notebook_text(clean(2)) != notebook_text(clean(1, "c\n"))


def test_results_and_titles_are_kept_and_traces_are_gone():
    text = notebook_text(clean(5))
    for kept in ("<thing at 0x0> in <run>/x", "# Title", '"title": "kept"', "a comment", "<cell>:1: red"):
        assert kept.replace('"', '"') in text
    for gone in ("/tmp", "papermill", "iopub", "3.11.5", "\\u001b", "0x7f"):
        assert gone not in text
