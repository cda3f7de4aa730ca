/** With the least memory and one pass, argon2id takes a tenth of a millisecond instead of some tenths of a second. */
const cheapest = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const
const asInProduction = Bun.password.hash
const asCheapAsCanBe: typeof asInProduction = (password) => asInProduction(password, cheapest)
let wantedBy = 0

/**
 * Makes this process hash passwords with the lowest cost of argon2id: what they guard in a test is no secret. A hash
 * says its cost, so those made before verify as ever. The function that it returns ends this; hashing costs what it does
 * in production again once all have ended it.
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
