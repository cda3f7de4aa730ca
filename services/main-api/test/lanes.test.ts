// Checks of payments on a server, where commits without a key in common share a transaction.
import { expect, test } from 'bun:test'
import { dialect } from '@bursar/store'
import { lanesTogether } from '@bursar/testing/service'
import { newCustodian, newParticipant } from './bank-records'
import { openService } from './harness'
import { startPeers } from './stand-ins'

// scripts/test --postgres, and test/postgres in each run.
const count = 32

test.skipIf(dialect === 'sqlite')('checks that are asked for together share transactions', async () => {
  const peers = startPeers()
  const service = await openService({ urls: { sanctions: peers.url } })
  const check = {
    participantId: await newParticipant(service),
    custodianBankId: await newCustodian(service),
    transactionAmount: 1250.5,
    transactionCurrency: 'USD',
    customerData: { firstName: 'Ada', lastName: 'Lovett', dateOfBirth: '1985-04-12', nationality: 'GB' },
  }
  const lanes = await lanesTogether(service.store, count, async () => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) => service.post('/aml-engine', check, { 'idempotency-key': `key-${i}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(201))
  })
  expect(lanes).toMatchObject({ bodies: count, left: 0 })
  expect(lanes.transactions).toBeLessThan(count / 2)
  await service.close()
  await peers.server.stop()
})
