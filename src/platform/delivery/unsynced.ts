/**
 * In the FROM of a statement that claims deliveries or records them: its commit does not wait for
 * the disk. What a crash of the database takes back is sent again, as after one of a replica.
 */
export const UNSYNCED = "set_config('synchronous_commit', 'off', true)";
