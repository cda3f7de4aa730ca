import { describe, expect, test } from 'bun:test'
import { createSigner } from './signature'

const [first, second, foreign] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
const event = '[{"id":"1"}]'

/** Secrets that are replaced, and noticed by `refresh`. */
function replaced(before: Buffer[], after: Buffer[]) {
  let now = before
  const refresh = () => {
    const isNew = now !== after
    now = after
    return isNew
  }
  return { all: () => now, refresh }
}

describe('a signature', () => {
  test('of an earlier secret verifies, and new ones are made with the newest', () => {
    const before = createSigner(first).sign('quote', event)
    const signer = createSigner(replaced([second, first], [second, first]))
    expect(signer.verify('quote', before)).toHaveLength(1)
    expect(createSigner(second).verify('quote', signer.sign('quote', event))).toHaveLength(1)
    expect(createSigner(first).verify('quote', signer.sign('quote', event))).toBeNull()
  })

  test('of a secret that was made a moment ago verifies before it was noticed', () => {
    const signer = createSigner(replaced([first], [second, first]))
    expect(signer.verify('quote', createSigner(second).sign('quote', event))).toHaveLength(1)
  })

  test('of a secret that has ended, or a foreign one, does not', () => {
    const signer = createSigner(replaced([second, first], [second]))
    expect(signer.verify('quote', createSigner(foreign).sign('quote', event))).toBeNull()
    expect(signer.verify('quote', createSigner(first).sign('quote', event))).toBeNull()
  })

  test('is for one queue', () => {
    const signer = createSigner(first)
    expect(signer.verify('wallet', signer.sign('quote', event))).toBeNull()
  })
})
