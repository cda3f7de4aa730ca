import { expect, test } from 'bun:test'
import { hitPage } from './hit-page'

test.each([
  [{ kind: 'transaction', id: 'a-1' }, '/console/transactions/a-1'],
  [{ kind: 'request', id: 'a b/c?d' }, '/console/log?requestId=a%20b%2Fc%3Fd'],
  [{ kind: 'chain transaction', id: '0x1' }, '/console/chain?hash=0x1'],
  [{ kind: 'toString', id: '../x' }, '/console/log?q=..%2Fx'],
])('%p is at %s', (hit, page) => expect(hitPage(hit)).toBe(page))
