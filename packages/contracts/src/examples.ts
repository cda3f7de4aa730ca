/**
 * Records of `bun run seed` that the examples of the OpenAPI documents name. The services generate ids: these
 * placeholders stand for them, and the seed prints the real ones (docs/api.md, Examples).
 */
const place = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

export const exampleIds = {
  /** Quote service: the category Stablecoins, the asset EURC, and the providers bitstamp and kraken. */
  category: place(101),
  quoteAsset: place(102),
  provider: place(103),
  spareProvider: place(104),
  /** Customers and their accounts; Harbour Bank and a message to it. */
  customer: place(201),
  account: place(202),
  otherAccount: place(203),
  portfolioAccount: place(204),
  participant: place(205),
  message: place(206),
  /** Its webhook endpoint, a screening of an address, and the delivery of that screening's result. */
  endpoint: place(207),
  screeningJob: place(208),
  delivery: place(209),
  /** Core ledger: USDC on Polygon, and transactions of it. Each frozen one can be decided once. */
  asset: place(301),
  deposit: place(302),
  /** The on-chain transaction of that deposit. */
  depositHash: `0x${'0'.repeat(61)}302`,
  pendingDeposit: place(303),
  depositToApprove: place(304),
  depositToReject: place(305),
  depositToApproveAtGateway: place(306),
  depositToRejectAtGateway: place(307),
  /** Rejected, and in suspense. */
  depositToRelease: place(316),
  depositToReturn: place(317),
  /** Stays frozen. */
  depositToReview: place(314),
  withdrawalToApprove: place(308),
  withdrawalToReject: place(309),
  withdrawalToApproveAtGateway: place(310),
  withdrawalToRejectAtGateway: place(311),
  /** Approved, and waiting: their account was suspended in between. */
  withdrawalToFail: place(312),
  withdrawalToRetry: place(315),
  /** Paid out on the chain. */
  withdrawal: place(313),
  /** Transaction manager: the dollar accounts of two participants, and payments that each can be moved once. */
  payerBank: place(501),
  payeeBank: place(502),
  payment: place(503),
  paymentDeposit: place(504),
  paymentWithdrawal: place(505),
  paymentToReview: place(506),
  paymentToCancel: place(507),
  /** Main API: Lakeside Payments, a custodian bank, a piece of additional information. */
  pfi: place(401),
  custodianBank: place(402),
  additionalInformation: place(403),
  /** A user of that custodian bank. */
  custodianUser: place(404),
  /** Identity manager: Jonas Weber, a user of the administration. */
  user: place(601),
} as const
export type ExampleId = keyof typeof exampleIds

/** Roles of the identity manager: their ids are the same in every deployment. */
export const exampleRoles = {
  operator: '01900000-0000-7000-a000-000000000002',
  custodianUser: '01900000-0000-7000-a000-000000000007',
} as const

/** The API key of the seeded participant. */
export const exampleApiKey = 'sk_test_harbour_bank'

/** The API key of Bridge Pay, a seeded institution that is approved and has an account at a custodian bank. */
export const exampleInstitutionKey = 'sk_test_bridge_pay'

/** The external ids and names of seeded records. */
export const exampleNames = {
  customer: 'harbour-trading',
  otherCustomer: 'northwind-supplies',
  account: 'harbour-treasury',
  otherAccount: 'northwind-main',
  portfolioAccount: 'harbour-portfolio',
  suspendedAccount: 'northwind-suspended',
  transfer: 'harbour-transfer-1',
  withdraw: 'harbour-payout-1',
  deposit: 'bayview-funding-1',
  doDeposit: 'bayview-obligation-1',
  screening: 'harbour-screening-1',
} as const

/** USDC on Polygon, as the platform knows it from the start. */
export const exampleToken = {
  code: 'USDC',
  network: 'polygon',
  contractAddress: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  decimals: 6,
  chainId: 137,
} as const

/** The URL of the seeded endpoint: such a host never exists (RFC 2606). */
export const exampleEndpointUrl = 'https://harbour-bank.example/webhooks'

/** An address that no account of the platform has. */
export const exampleAddress = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'
