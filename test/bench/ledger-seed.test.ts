import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { createAuditor } from '../../services/core-ledger/src/audit/auditor'
import { migrations } from '../../services/core-ledger/src/service'
import { seedLedger } from './ledger-seed'

test('the books that the bench makes are right', async () => {
  const folder = tempDir()
  await seedLedger(folder, { accounts: 3, deposits: 20, pending: 4 })
  const store = await openStore({ service: 'core-ledger', file: join(folder, 'core.sqlite'), migrations })
  const auditor = createAuditor({ pause: async () => {} })
  await auditor.round(store)
  await store.close()
  expect(auditor.difference()).toBeUndefined()
})
