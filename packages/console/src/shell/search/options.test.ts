import { expect, test } from 'bun:test'
import { nextPlace, optionsFor } from './options'

const pages = [
  { path: '/console/log', title: 'Activity log' },
  { path: '/console/accounts', title: 'Accounts' },
  { path: '/console/chain', title: 'Wallets and chains' },
]
const hit = { kind: 'account', id: '1', title: 'Acme', detail: 'x', status: 'active', at: null, service: 'account' }

test('pages come first, by the beginning of any of their words', () => {
  expect(optionsFor('acc', [hit], pages).map(({ title }) => title)).toEqual(['Accounts', 'Acme'])
  expect(optionsFor('LOG', [], pages).map(({ href }) => href)).toEqual(['/console/log'])
  expect(optionsFor('chains', [], pages).map(({ title }) => title)).toEqual(['Wallets and chains'])
  expect(optionsFor('og', [], pages)).toEqual([])
})

test('steps go around', () => {
  expect([
    nextPlace(-1, 1, 3),
    nextPlace(2, 1, 3),
    nextPlace(0, -1, 3),
    nextPlace(-1, -1, 3),
    nextPlace(0, 1, 0),
  ]).toEqual([0, 0, 2, 2, -1])
})
