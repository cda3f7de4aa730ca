import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { packText, unpackText } from './packed-text'

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })

test('any text comes back as it was', () => {
  const marked = fc.string().map((text) => `~${text}`)
  const hash = hex(64).map((digits) => `0x${digits}`)
  const text = fc.oneof(
    fc.string(),
    marked,
    marked.map((each) => `~${each}`),
    fc.uuid(),
    fc.uuid().map((id) => id.toUpperCase()),
    hash,
    hex(66),
  )
  fc.assert(
    fc.property(text, (each) => {
      expect(unpackText(packText(each))).toBe(each)
    }),
  )
})

test('ids and hashes are stored shorter', () => {
  expect(packText('018f2f3e-0000-7000-8000-0000000000ee')).toHaveLength(23)
  expect(packText(`0x${'ab'.repeat(32)}`)).toHaveLength(44)
  expect(packText('~')).toBe('~~')
  expect(() => unpackText('~short')).toThrow()
})
