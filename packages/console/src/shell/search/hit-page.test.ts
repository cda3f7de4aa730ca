import { expect, test } from 'bun:test'
import { hitPage } from './hit-page'

const bank = '01a1fe8f-0000-7000-8000-0000000000b1'

test.each([
  ['transaction', { id: 'a-1' }, '/console/transactions/a-1'],
  ['request', { id: 'a b/c?d' }, '/console/log?requestId=a+b%2Fc%3Fd'],
  ['chain transaction', { id: '0x1' }, '/console/transactions?q=0x1'],
  ['message', { detail: `For participant ${bank}` }, `/console/participants/${bank}`],
  ['wallet', { detail: '0xAb' }, '/console/chain?view=wallets&address=0xAb'],
  ['user', { id: 'u1', title: 'Zoe & Co' }, '/console/users?q=Zoe+%26+Co&user=u1'],
  ['toString', { id: '../x' }, '/console/log?requestId=..%2Fx'],
])('%s %p is at %s', (kind, more, page) => {
  expect(hitPage({ kind, id: '', title: '', detail: '', ...more })).toBe(page)
})
