import { expect, test } from 'bun:test'
import { ownPart } from './own-part'

const person = (id: string) => ({ kind: 'user' as const, id })
const proposedBy = (id: string) => ({ decision: 'PROPOSED' as const, actor: person(id), note: null, at: '' })

test('where it takes two, whoever entered or approved it is neither of the two', () => {
  const terms = { required: 2, approvals: [proposedBy('anna')], enteredBy: person('carl') }
  expect([ownPart(terms, 'anna'), ownPart(terms, 'boris'), ownPart(terms, 'carl')]).toEqual([
    'Approved by you',
    null,
    'Entered by you',
  ])
})

test('where it takes one, everybody may', () => {
  const terms = { required: 1, approvals: [], enteredBy: person('carl') }
  expect(ownPart(terms, 'carl')).toBeNull()
})
