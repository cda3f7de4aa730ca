import { fail } from '../errors'
import { normalized } from './password-rules'

/** Hashes and verifies passwords, a few at a time. */
export interface Hashing {
  hash(password: string): Promise<string>
  /**
   * Whether the password is the one of the hash. Without a hash (no such user, or none was set yet) it takes as long, and
   * is false. Fails with 503, as `hash` does, when too many wait already.
   */
  verify(password: string, hash: string | null): Promise<boolean>
}

/** What computes them: argon2id. Tests count its calls. */
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

/** Hashing that bounds what callers without credentials can make this machine compute. */
export function createHashing(hasher: PasswordHasher = argon2id): Hashing {
  let running = 0
  const waiting: (() => void)[] = []
  // Of a password that nobody has. Made with the first need, so that it costs what all others do.
  let nobodys: Promise<string> | undefined

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw fail('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '5' } })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
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
    hash: (password) => inTurn(() => hasher.hash(normalized(password))),
    verify: (password, hash) =>
      inTurn(async () => {
        // Both are needed in either case, so that the first login of an unknown address is none that takes twice as long.
        const spare = await placeholder()
        const matches = await hasher.verify(normalized(password), hash ?? spare)
        return matches && hash !== null
      }),
  }
}
