import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { packedMetadata } from './log-messages.table'

test('any metadata come back as they were, their names in their order', () => {
  const name = fc.oneof(
    fc.string(),
    fc.constantFrom('transaction_id', 'a', ' ', ' a', '  ', '1', '__proto__', 'amount'),
  )
  const value = fc.oneof(
    fc.uuid(),
    fc.jsonValue(),
    fc.constantFrom('~', '~a', '~~a', 'WITHDRAWAL', `0x${'0'.repeat(64)}`),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (entries) => {
      const metadata = Object.fromEntries(entries)
      const back = packedMetadata.unpack(JSON.parse(JSON.stringify(packedMetadata.pack(metadata))))
      expect(JSON.stringify(back)).toBe(JSON.stringify(metadata))
    }),
  )
})
