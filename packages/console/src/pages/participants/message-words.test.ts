import { expect, test } from 'bun:test'
import { type MessageRow, messageWords } from './message-words'

test.each<[MessageRow['type'], Record<string, unknown>, string]>([
  ['TEXT', { text: 'Your transfer has arrived.' }, 'Your transfer has arrived.'],
  ['RFI', { subject: 'Transfer of 9 March', questions: ['Who?'] }, 'Asked: Transfer of 9 March'],
  ['ISO20022', { messageType: 'pacs.008', document: {} }, 'pacs.008'],
  ['JSON', { invoice: 'INV-204', dueInDays: 14, nested: {} }, 'invoice: INV-204, dueInDays: 14'],
  ['JSON', { nested: {} }, 'No text'],
])('%s %j reads %s', (type, data, words) => {
  expect(messageWords({ type, data })).toBe(words)
})
