"""What rounds of a measurement come to.

Other work only ever makes a round slower: on a virtual machine, by 1.4 times while
the other half of the core is busy. So the fastest round is what is reported, not a
median, which jumps between two values with the share of disturbed rounds; the fastest
that a fifth of all agree with, since the clock of a virtual machine may jump, and rounds
then look too short. Whether it was met often enough to be believed is told by
`unsettled`.
"""
import statistics

# Of the same code measured twice, and of rounds that agree.
NOISE = 0.03
# Of rounds that say nothing.
BELIEVABLE = 0.1


def fastest(samples):
    ordered = sorted(samples)
    agreeing = max(2, len(ordered) // 5)
    for one, another in zip(ordered, ordered[agreeing - 1:]):
        if another <= one * (1 + NOISE):
            return one
    return ordered[0]


def unsettled(samples):
    """How much slower than the fastest round the one at the first quartile is, as a
    fraction: 0.02 says that a quarter of the rounds lies within 2 % of the fastest."""
    if len(samples) < 2:
        return 0.0
    return max(0.0, statistics.quantiles(samples, n=4)[0] / min(samples) - 1)
