/** What an audit found: something stored that is not what the entries come to. Its message says what and where. */
export class AuditDifference extends Error {
  override name = 'AuditDifference'
}

/** A stored value that cannot even be read (an amount that is no number, a kind that there is not) is a difference too. */
export function asDifference(error: unknown): unknown {
  const isUnreadable = error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError
  if (!isUnreadable) return error
  return new AuditDifference(`A stored value cannot be read: ${error.message}`, { cause: error })
}
