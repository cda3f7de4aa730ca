import { JournalSealed } from '@bursar/contracts/ledger-seals'
import { type Consumer, consumer, type Deps } from '@bursar/http'
import { receive } from '@bursar/store'
import { keepHead } from './ledger-heads'

/** Stores the ledger's sealed heads outside the ledger. */
export const ledgerHeadConsumers = ({ store, log }: Pick<Deps, 'store' | 'log'>): Consumer[] => [
  consumer(JournalSealed, async (envelope) => {
    let agrees = true
    await receive(store, envelope, async (tx) => {
      agrees = await keepHead(tx, envelope.data)
    })
    const { books, lastSeq } = envelope.data
    if (!agrees) log.error({ books, lastSeq }, 'The ledger sealed two different journals up to the same entry')
  }),
]
