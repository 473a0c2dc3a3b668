"""A kind of check on the rows of one reading."""


def of_one_reading(compare, judge):
    """Function (claim, rows of one reading, levels, ...) -> Evidence."""

    def check(claim, rows, levels, *more, **named):
        [reading] = compare(claim, rows, *more, **named)
        return judge(claim, reading, levels)

    return check
