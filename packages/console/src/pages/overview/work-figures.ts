interface WorkFigure {
  count: number
  oldestAt: string | null
}

/** The number of transactions in a status over all types, and the creation time of the oldest of them. */
export function inStatus<Status extends string>(
  counts: readonly { status: Status; count: number; oldestAt: string }[],
  status: Status,
): WorkFigure {
  const of = counts.filter((each) => each.status === status)
  const [oldestAt = null] = of.map((each) => each.oldestAt).sort()
  return { count: of.reduce((sum, { count }) => sum + count, 0), oldestAt }
}
