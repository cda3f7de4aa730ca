import { seedPayments } from './payment-seed'

const t = performance.now()
await seedPayments('/tmp/txm-bench', { payments: 1_000_000, participants: 200 })
console.log('seeded', performance.now() - t)
