/** With the least memory and one pass, argon2id takes a tenth of a millisecond instead of some tenths of a second. */
const cheapest = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
const asInProduction = Bun.password.hash
const asCheapAsCanBe: typeof asInProduction = (password) => asInProduction(password, cheapest)
let wantedBy = 0

/**
 * Makes this process hash passwords with the lowest cost of argon2id: tests have no secrets to guard. A hash names its
 * cost, so earlier ones still verify. Returns a function that ends this; the cost of production is back once every
 * caller has ended it.
 */
export function cheapPasswords(): () => void {
  let isWanted = true
  wantedBy += 1
  Bun.password.hash = asCheapAsCanBe
  return () => {
    if (!isWanted) return
    isWanted = false
    wantedBy -= 1
    if (wantedBy === 0) Bun.password.hash = asInProduction
  }
}
