import { expect, test } from 'bun:test'
import { paths } from './icon-paths'
import { lookOf } from './status-words'

test('amber waits, red failed, blue moves, green is done, and what is not known is plain', () => {
  const toneOf = (words: string) => lookOf(words).tone
  expect(['Frozen', 'Failed', 'Approved', 'Completed', 'Pending', 'Whatever'].map(toneOf)).toEqual([
    'wait',
    'bad',
    'move',
    'good',
    'plain',
    'plain',
  ])
})

test('a status has an icon that can be drawn', () => {
  for (const word of ['Frozen', 'Rejected', 'Closed', 'Whatever']) expect(paths[lookOf(word).icon]).toMatch(/^M/)
})
