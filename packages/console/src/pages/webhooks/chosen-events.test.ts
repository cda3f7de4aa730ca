import { expect, test } from 'bun:test'
import { eventFields, eventTypesIn, groupsOf, requestText } from './chosen-events'

const form = (...fields: [string, string][]) => {
  const made = new FormData()
  for (const [name, value] of fields) made.append(name, value)
  return made
}
const { which, type } = eventFields

test('all events are no types, whatever was chosen before', () => {
  expect(eventTypesIn(form([which, 'all'], [type, 'payment.created']))).toEqual([])
  expect(eventTypesIn(form([which, 'some'], [type, 'payment.created'], [type, 'sanctions.*']))).toEqual([
    'payment.created',
    'sanctions.*',
  ])
})

test('types are offered by what they are of, and tests are not', () => {
  const types = ['message.created', 'payment.created', 'payment.executed', 'webhook.test'].map((name) => ({
    type: name,
  }))
  expect(groupsOf(types)).toEqual([
    ['message', [{ type: 'message.created' }]],
    ['payment', [{ type: 'payment.created' }, { type: 'payment.executed' }]],
  ])
})

test('a request is shown as it is sent, its body to the letter', () => {
  const request = { url: 'https://bank.example:8443/hooks?tenant=7', headers: { 'webhook-id': 'd-1' } }
  expect(requestText(request, '{"a": 1}')).toBe(
    'POST /hooks?tenant=7 HTTP/1.1\nhost: bank.example:8443\nwebhook-id: d-1\n\n{"a": 1}',
  )
})
