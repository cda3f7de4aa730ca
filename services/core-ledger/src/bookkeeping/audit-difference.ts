/** What an audit found: something stored that is not what the entries come to. Its message says what and where. */
export class AuditDifference extends Error {
  override name = 'AuditDifference'
}
