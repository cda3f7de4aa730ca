/** What an audit found: a stored value that differs from the entries. Its message says what and where. */
export class AuditDifference extends Error {
  override name = 'AuditDifference'
}

/** An unreadable stored value (such as an invalid amount or an unknown kind) is a difference too. */
export function asDifference(error: unknown): unknown {
  const isUnreadable = error instanceof SyntaxError || error instanceof TypeError || error instanceof RangeError
  if (!isUnreadable) return error
  return new AuditDifference(`A stored value cannot be read: ${error.message}`, { cause: error })
}
