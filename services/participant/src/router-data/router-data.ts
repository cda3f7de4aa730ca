import { comparableAddress } from '@bursar/contracts/address'
import { type Db, deleteBy, eq, folded, insertAll, type param, type Tx } from '@bursar/store'
import { routerWords } from './router-words.table'
import { type RouterData, wordsIn } from './words'

/** Replaces the words by which the filters find the participant. */
export async function indexRouterData(tx: Tx, participantId: string, data: RouterData | null): Promise<void> {
  await deleteWords(tx).execute({ participantId })
  await insertWords(
    tx,
    wordsIn(data).map((word) => ({ participantId, address: comparableAddress(word), name: folded(word) })),
  )
}

/** The part of a query that finds the participants with an address, or a name, in their routerData. */
export const participantsWith = (db: Db, column: 'address' | 'name', place: ReturnType<typeof param>) =>
  db.select({ id: routerWords.participantId }).from(routerWords).where(eq(routerWords[column], place))

const deleteWords = deleteBy(routerWords, 'participantId')
const insertWords = insertAll(routerWords)
