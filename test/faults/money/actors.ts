// All that is done during a run, and how often.
import { depositByHandAlone, depositOnChain, depositTwice } from './actors/deposits'
import { orderOnChain, payByBank } from './actors/institutions'
import {
  changePrice,
  failByHand,
  letOut,
  listBeforeSigning,
  offboard,
  pauseInstitution,
  review,
  suspend,
  updateList,
  wakeOne,
} from './actors/operators'
import { allowAndBeTaken, sendCoins, sendTokens } from './actors/portfolios'
import { transfer, withdraw, withdrawToHotWallet, withdrawToListed, withdrawToOurselves } from './actors/withdrawals'
import { count, type World } from './world'

type Actor = (world: World) => Promise<void>

/** Each with its weight. */
const actors: readonly (readonly [weight: number, actor: Actor])[] = [
  [10, depositOnChain],
  [6, depositTwice],
  [2, depositByHandAlone],
  [22, withdraw],
  [5, withdrawToOurselves],
  [1, withdrawToHotWallet],
  [4, withdrawToListed],
  [8, transfer],
  [4, sendCoins],
  [4, sendTokens],
  [2, allowAndBeTaken],
  [8, orderOnChain],
  [8, payByBank],
  [7, review],
  [2, failByHand],
  [3, letOut],
  [2, suspend],
  [2, wakeOne],
  [1, changePrice],
  [0.5, pauseInstitution],
  [0.05, offboard],
  [0.3, updateList],
  [0.3, listBeforeSigning],
]
const allWeight = actors.reduce((sum, [weight]) => sum + weight, 0)

/** Runs actors, one after another, until the end. Errors of the actors themselves are thrown at the end. */
export async function runLane(world: World, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const actor = drawn(world)
    await actor(world).catch((error: Error) => count(world, `${actor.name} failed: ${error.message}`))
  }
}

function drawn({ random }: World): Actor {
  let left = random.next() * allWeight
  for (const [weight, actor] of actors) {
    left -= weight
    if (left < 0) return actor
  }
  return withdraw
}
