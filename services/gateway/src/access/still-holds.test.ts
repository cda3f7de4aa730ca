import { expect, test } from 'bun:test'
import { CallError, type Caller } from '@bursar/http'
import { fail } from '../errors'
import type { Credentials } from './authenticate'
import type { InstitutionState } from './institutions'
import { createKeyAddresses } from './key-addresses'
import { stillHolds } from './still-holds'

const bank = Bun.randomUUIDv7()
const caller: Caller = { kind: 'participant', subject: bank, participantId: bank, roles: [] }
const target = { service: 'quote', path: '/rates', query: '' } as const

/** Whether the stream of a key holds, by what its owners say of it. */
function holds({
  lookUp = async () => caller,
  state = async () => 'active',
  isAllowed = true,
}: {
  lookUp?: () => Promise<Caller>
  isAllowed?: boolean
  state?: () => Promise<InstitutionState>
}): Promise<boolean> {
  const credentials = {
    apiKeys: {
      known: () => ({ caller, isAllowedFrom: () => true }),
      ownerOf: async () => ({ caller: await lookUp(), isAllowedFrom: () => isAllowed }),
    },
    keyAddresses: createKeyAddresses(
      async () => {},
      async () => true,
      () => 0,
    ),
    institutions: { stateOf: state, pull: async () => {} },
    failures: {
      watch: async () => {
        throw fail('RATE_LIMITED')
      },
    },
  } as unknown as Credentials
  return stillHolds(credentials, { headers: new Headers({ 'x-api-key': 'sk_test_1' }), target, caller, address: '::1' })
}

test('a key is looked up again, whatever is cached and however often its address has guessed', async () => {
  expect(await holds({})).toBe(true)
  const revoked = async () => {
    throw fail('INVALID_API_KEY')
  }
  expect(await holds({ lookUp: revoked })).toBe(false)
})

test('no stream ends because the owner of its credentials is unavailable', async () => {
  const away = async () => {
    throw new CallError('unreachable', 'main-api', 'The main-api service cannot be reached')
  }
  expect(await holds({ lookUp: away })).toBe(true)
  expect(await holds({ lookUp: away, state: async () => 'paused' })).toBe(true)
  expect(await holds({ lookUp: away, state: async () => 'ended' })).toBe(false)
  const unknown = async () => {
    throw fail('SERVICE_UNAVAILABLE')
  }
  expect(await holds({ state: unknown })).toBe(true)
})

test('a stream ends when its key may no longer be used from its address', async () => {
  expect(await holds({ isAllowed: false })).toBe(false)
})

test('a stream of a user ends when its institution may no longer come from its address', async () => {
  const user: Caller = { kind: 'user', subject: Bun.randomUUIDv7(), participantId: bank, roles: ['participant-user'] }
  const holdsOf = (isAllowed: boolean) => {
    const credentials = {
      tokens: { known: () => ({ caller: user, sessionId: 's', kid: 'k', expiresAtMs: 1, mustEnrol: false }) },
      keyAddresses: createKeyAddresses(
        async () => {},
        async () => isAllowed,
        () => 0,
      ),
      institutions: { stateOf: async () => 'active', pull: async () => {} },
    } as unknown as Credentials
    const headers = new Headers({ authorization: 'Bearer a.user.token' })
    return stillHolds(credentials, { headers, target, caller: user, address: '::1' })
  }
  expect([await holdsOf(true), await holdsOf(false)]).toEqual([true, false])
})

test('an error that is not a refusal is a defect, and is thrown', async () => {
  const broken = async () => {
    throw new TypeError('broken')
  }
  expect(holds({ lookUp: broken })).rejects.toThrow('broken')
})
