import type { IconName } from '../../ui/icon-paths'
import type { PaymentStatus } from './payment'

interface MoveWords {
  /** On the button: `Approve`. */
  verb: string
  icon: IconName
  /** What it means, for the dialog. */
  effect: string
  /** After it: `approved`. */
  done: string
}

/** The wording of a move. */
export const moveWords: Record<PaymentStatus, MoveWords> = {
  PENDING: { verb: 'Reopen', icon: 'clock', effect: '', done: 'reopened' },
  IN_REVIEW: {
    verb: 'Begin review',
    icon: 'review',
    effect: 'It waits until somebody approves or rejects it.',
    done: 'in review',
  },
  APPROVED: {
    verb: 'Approve',
    icon: 'check',
    effect: 'It may be handed to the bank.',
    done: 'approved',
  },
  PROCESSING: {
    verb: 'Mark as processing',
    icon: 'moving',
    effect: 'The bank has received the order. It can no longer be cancelled.',
    done: 'marked as processing',
  },
  COMPLETED: {
    verb: 'Complete',
    icon: 'check',
    effect: 'The money has arrived. This is final; credit lines are settled.',
    done: 'completed',
  },
  REJECTED: {
    verb: 'Reject',
    icon: 'cross',
    effect: 'This is final. Its reserved part of a credit line is released.',
    done: 'rejected',
  },
  CANCELLED: {
    verb: 'Cancel payment',
    icon: 'cross',
    effect: 'This is final. Its reserved part of a credit line is released.',
    done: 'cancelled',
  },
  FAILED: {
    verb: 'Mark as failed',
    icon: 'bang',
    effect: 'It never arrived, or the bank refused it. This is final; its reserved part of a credit line is released.',
    done: 'marked as failed',
  },
}

/** The first move is the usual one. Of the others only a rejection is highlighted. */
export const lookOfMove = (to: PaymentStatus, place: number): 'main' | 'danger' | 'plain' =>
  place === 0 && !needsReason(to) ? 'main' : to === 'REJECTED' ? 'danger' : 'plain'

const endings: readonly PaymentStatus[] = ['REJECTED', 'CANCELLED', 'FAILED']

/** Ending a payment without moving money needs a reason. */
export const needsReason = (to: PaymentStatus): boolean => endings.includes(to)
