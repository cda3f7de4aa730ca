import { fail } from '../errors'
import { normalized } from './password-rules'

/** The hash function, argon2id. Tests count its calls. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  verify(password: string, hash: string): Promise<boolean>
}

export const argon2id: PasswordHasher = {
  hash: (password) => Bun.password.hash(password),
  verify: (password, hash) => Bun.password.verify(password, hash),
}

/** Each takes 64 MiB and a core for some tenths of a second (decisions: at most 2 at a time). */
const atOnce = 2
const mostWaiting = 32

/**
 * Hashes and verifies passwords, a few at a time: that bounds what callers without credentials can make this machine
 * compute. Both fail with 503 when too many wait already.
 */
export function createHashing(hasher: PasswordHasher = argon2id) {
  let running = 0
  /** A separate queue for recognised callers: strangers, however many, cannot fill it. */
  const known: (() => void)[] = []
  const strangers: (() => void)[] = []
  // The hash of an unused password, computed on first use with the same cost as all others.
  let nobodys: Promise<string> | undefined

  async function inTurn<T>(waiting: (() => void)[], work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw fail('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '5' } })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = known.shift() ?? strangers.shift()
      if (next) next()
      else running -= 1
    }
  }

  const placeholder = () => {
    nobodys ??= hasher.hash(crypto.randomUUID()).catch((error: unknown) => {
      nobodys = undefined
      throw error
    })
    return nobodys
  }

  return {
    // Whoever sets a password has presented a token.
    hash: (password: string): Promise<string> => inTurn(known, () => hasher.hash(normalized(password))),
    /**
     * Whether the password is the one of the hash. Without a hash (no such user, or no password yet) it takes as long,
     * and is false. Recognised callers come first.
     */
    verify: (password: string, hash: string | null, { isKnown } = { isKnown: false }): Promise<boolean> =>
      inTurn(isKnown ? known : strangers, async () => {
        // Computed in either case, so that the first login of an unknown address does not take twice as long.
        const spare = await placeholder()
        const matches = await hasher.verify(normalized(password), hash ?? spare)
        return matches && hash !== null
      }),
  }
}
