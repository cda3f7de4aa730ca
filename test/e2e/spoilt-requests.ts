import { nobody } from '@bursar/testing/service'
import { type Asked, pathOf } from './through-gateway'

/** Invalid values of such a parameter. */
const isStrict = (schema: unknown) =>
  /"type":"(integer|number|boolean)|"enum"|"const"|"format":"(uuid|date)/.test(JSON.stringify(schema))
/** Its schema takes any id, and no record has it. */
const lenient = ['customerId', 'accountId', 'participantId']

/** Requests that are wrong in one way each. */
export function broken(each: Asked): Asked[] {
  const strict = each.parameters.filter(({ name, schema, ...rest }) =>
    rest.in === 'path'
      ? JSON.stringify(schema).includes('uuid')
      : rest.in === 'query' && isStrict(schema) && !lenient.includes(name),
  )
  const fields = typeof each.body === 'object' && each.body !== null ? Object.entries(each.body) : []
  const bodies = fields.map(([name, value]) => ({
    ...(each.body as object),
    [name]: typeof value === 'string' ? 12345 : 'wrong',
  }))
  const isRepeatable = each.parameters.some(({ name }) => name === 'Idempotency-Key')
  return [
    ...strict.map(({ name }) => ({ ...each, path: pathOf(each, { [name]: 'wrong' }) })),
    ...(fields.length > 0 ? ['{', '[]', ...bodies] : []).map((body) => ({ ...each, body })),
    ...(isRepeatable ? [{ ...each, headers: { ...each.headers, 'idempotency-key': 'k'.repeat(256) } }] : []),
  ]
}

const noHash = `0x${'9'.repeat(64)}`
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[089ab][0-9a-f]{3}-[0-9a-f]{12}/g

/** With unknown ids in the place of known ones. */
export function unknown(each: Asked): Asked {
  const ids = each.parameters.filter((parameter) => parameter.in === 'path' || parameter.name === 'userId')
  const given = ids.map(({ name, schema, example }): [string, string] => {
    if (JSON.stringify(schema).includes('uuid')) return [name, nobody]
    return [name, `${example}`.startsWith('0x') ? noHash : 'unknown']
  })
  const text = JSON.stringify(each.body)
    ?.replace(uuids, nobody)
    .replace(/0x[0-9a-f]{64}/g, noHash)
    .replace(/(ExternalId":)"[^"]*"/g, '$1"unknown"')
  return { ...each, path: pathOf(each, Object.fromEntries(given)), body: text && JSON.parse(text) }
}
