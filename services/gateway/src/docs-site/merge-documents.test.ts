import { expect, test } from 'bun:test'
import { createMerging } from './merge-documents'
import type { OpenApi } from './open-api'

/** A document, and how often it was merged, for which it must be read. */
function counted(summary: string) {
  const seen = { reads: 0 }
  const document = {
    toJSON() {
      seen.reads += 1
      return { paths: { '/things': { get: { summary, responses: {} } } }, components: {} }
    },
  }
  return { seen, document: document as unknown as OpenApi }
}

test('documents are merged again only when one of them has changed: anybody may ask for them', () => {
  const merged = createMerging({ version: '1', roles: false })
  const [one, two, changed] = [counted('one'), counted('two'), counted('changed')]
  const sources = (second = two) => [
    { name: 'quote' as const, document: one.document },
    { name: 'wallet' as const, document: second.document },
  ]
  const text = merged(sources(), 'All')
  expect(merged(sources(), 'All')).toBe(text)
  expect([one.seen.reads, two.seen.reads]).toEqual([1, 1])
  expect(JSON.parse(merged(sources().slice(1), 'Wallet')).info.title).toBe('Wallet')
  expect(merged(sources(), 'All')).toBe(text)
  expect(JSON.parse(merged(sources(changed), 'All')).paths['/wallet/v1/things'].get.summary).toBe('changed')
  expect(Object.keys(JSON.parse(merged(sources().slice(0, 1), 'All')).paths)).toEqual(['/quote/v1/things'])
})
