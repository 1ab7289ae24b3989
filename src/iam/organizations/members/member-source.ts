export const MEMBER_STATUSES = ['active', 'suspended'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** What adds members and gives roles. Each source replaces only the roles that it gave. */
export const MEMBER_SOURCES = ['manual', 'connection', 'directory'] as const;
export type MemberSource = (typeof MEMBER_SOURCES)[number];
