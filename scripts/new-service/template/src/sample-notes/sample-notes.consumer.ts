import { type Consumer, consumer } from '@bursar/http'
import { receive } from '@bursar/store'
import { SampleNoteCreated } from '../../contract/sample-notes.contract'
import type { TransactionManagerDeps } from '../deps'
import { fileSampleNote } from './sample-notes'

/** What follows a sample note's creation without its caller waiting for it. */
export const sampleNoteConsumers = ({ store }: TransactionManagerDeps): Consumer[] => [
  consumer(SampleNoteCreated, async (envelope) => {
    await receive(store, envelope, async (tx) => {
      await fileSampleNote(tx, envelope.data.sampleNote.id)
    })
  }),
]
