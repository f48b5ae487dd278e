"""A benchmark whose ``--episodes`` is a list, where other benchmarks take a number."""

from toy_benchmark import ToyBenchmark

from vantage.benchmarks.protocol import Option


def read_numbers(text):
    return [int(part) for part in text.split(",")]


class ListedBenchmark(ToyBenchmark):
    name = "listed"
    options = (
        Option("numbers", "episodes of each shade", read_numbers, flag="--episodes", metavar="NUMBER,...", size=True),
    )

    def make(self, folder, *, numbers=(1,), **more):
        return super().make(folder, shades=sum(numbers), **more)
