import type { operations } from '#types/message'

export type MessageRow = operations['listMessages']['responses'][200]['content']['application/json'][number]

/** A message's text, if its kind has a readable one. */
export function messageWords({ type, data }: Pick<MessageRow, 'type' | 'data'>): string {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  if (type === 'TEXT' && text('text')) return text('text')
  if (type === 'RFI' && text('subject')) return `Asked: ${text('subject')}`
  if (type === 'ISO20022' && text('messageType')) return text('messageType')
  const facts = Object.entries(data).filter(([, value]) => typeof value !== 'object')
  return facts.length === 0 ? 'No text' : facts.map(([name, value]) => `${name}: ${value}`).join(', ')
}
