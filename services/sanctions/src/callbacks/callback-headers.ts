import type { FieldProblem } from '@bursar/http'

const most = 50
const mostBytes = 8 * 1024
const fieldName = /^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i
/** Visible characters, spaces and tabs: anything else could begin another header. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** The problems of the headers that a caller wants on the webhook; [] when there are none. */
export function callbackHeaderProblems(headers: Record<string, unknown>): FieldProblem[] {
  const entries = Object.entries(headers)
  const problem = (words: string): FieldProblem => ({ field: 'callbackHeaders', message: `callbackHeaders ${words}` })
  if (entries.length > most) return [problem(`must have at most ${most} headers`)]
  if (Buffer.byteLength(JSON.stringify(headers)) > mostBytes)
    return [problem(`must not be larger than ${mostBytes} bytes`)]
  return entries.flatMap(([name, value]) => {
    if (!fieldName.test(name)) return [problem('has an invalid header name')]
    return typeof value === 'string' && fieldValue.test(value)
      ? []
      : [{ field: `callbackHeaders.${name}`, message: `callbackHeaders.${name} must be one line of text` }]
  })
}
