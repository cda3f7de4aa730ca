import { expect, test } from 'bun:test'
import { evidenceOf, toneOfScore } from './screening-evidence'

test('what the sanctions service found', () => {
  const sources = [
    { provider: 'ofac', match: true, details: {} },
    { provider: 'eu', match: false },
  ]
  expect(evidenceOf({ reason: 'The counterparty is sanctioned: ofac', jobId: '1', result: { sources } })).toEqual({
    score: null,
    reason: 'The counterparty is sanctioned: ofac',
    provider: null,
    sources: [
      { provider: 'ofac', isMatch: true },
      { provider: 'eu', isMatch: false },
    ],
    tags: [],
  })
})

test('what a provider of risk scores says', () => {
  const data = { provider: 'Chainlight', score: 73, category: 'Mixer', tags: ['Velocity', 7], reason: '' }
  expect(evidenceOf(data)).toEqual({
    score: 73,
    reason: null,
    provider: 'Chainlight',
    sources: [],
    tags: ['Velocity', 'Mixer'],
  })
})

test.each([null, undefined, {}, { score: '73' }, { score: 730 }, { sources: 'x', result: [] }, { sources: [null, 1] }])(
  'nothing is made up of %p',
  (data) => {
    const { score, sources, provider } = evidenceOf(data as Record<string, unknown>)
    expect([score, sources, provider]).toEqual([null, [], null])
  },
)

test('a score has a colour', () => {
  expect([0, 39, 40, 79, 80, 100].map(toneOfScore)).toEqual(['good', 'good', 'wait', 'wait', 'bad', 'bad'])
})
