import { expect, test } from 'bun:test'
import { targetOf } from '../front/target'
import { isHeavy } from './heavy'

const id = '01a1fe8f-0000-7000-8000-0000000000b1'
const isHeavyAt = (method: string, url: string): boolean => {
  const target = targetOf(`http://localhost${url}`)
  return target !== null && isHeavy(target, method)
}

test.each(['/participant/v1/participants', `/participant/v1/participants/${id}`, '/wallet/v1/wallets'])(
  '%s answers all customers or wallets of a participant at once',
  (url) => {
    expect([isHeavyAt('GET', url), isHeavyAt('HEAD', url)]).toEqual([true, true])
  },
)

test.each([
  ['GET', '/wallet/v1/wallets/fees'],
  ['GET', `/main/v1/participants/${id}`],
  ['PATCH', `/participant/v1/participants/${id}`],
])('%s %s is one record, or writes', (method, url) => {
  expect(isHeavyAt(method, url)).toBe(false)
})
