import { expect, test } from 'bun:test'
import { passkeyProblem } from './passkey-problem'

const at = (hostname: string, port = '', isKnown = true) => passkeyProblem({ hostname, port }, isKnown)

test('a page with a name has passkeys, where the browser has them', () => {
  expect(at('desk.bank.example')).toBeNull()
  expect(at('localhost', '4000')).toBeNull()
  expect(at('10.bank.example')).toBeNull()
  expect(at('desk.bank.example', '', false)).toBe('This browser does not support passkeys.')
})

test('one with a number has none, and says where they work', () => {
  expect(at('127.0.0.1', '4000')).toBe('Passkeys work at http://localhost:4000/console.')
  expect(at('[::1]')).toBe('Passkeys work at http://localhost/console.')
  for (const number of ['10.0.0.7', '[2001:db8::7]']) expect(at(number, '', false)).toContain('by its name')
})
