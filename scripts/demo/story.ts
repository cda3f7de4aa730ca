import { transferBetweenBanks } from './bank-payments'
import { depositOnChain, openAccounts, quoteAccount, signWithPortfolio, withdrawOnChain } from './digital-money'
import { logInAdministrator, onboard } from './onboarding'
import { proveBooks } from './proofs'
import type { World } from './world'

/**
 * The whole platform in one story, through the gateway: an institution comes in, its customer's money moves on a chain
 * and between banks, and all of it is proved afterwards. Throws a sentence at the first thing that goes wrong.
 */
export async function tellStory(world: World): Promise<void> {
  const admin = await logInAdministrator(world)
  const institution = await onboard(world, admin)
  const holder = await openAccounts(world, institution)
  await depositOnChain(world, institution, admin, holder)
  await quoteAccount(world, institution, holder)
  await withdrawOnChain(world, institution, admin, holder)
  await signWithPortfolio(world, institution, holder)
  await transferBetweenBanks(world, admin, institution)
  await proveBooks(world, institution.user)
}
