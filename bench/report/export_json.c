/* A session as JSON: what other programs, the plots and later comparisons read. */
#include "bench/report/export_json.h"
#include "bench/shared/json_file.h"

#include <math.h>

static json_t *sample_json(const struct run_sample *sample, enum round_kind kind)
{
	json_t *object = json_pack("{s:s}", "for", sample_round_name(kind));
	char end[SESSION_END_LENGTH];

	for (enum measure i = 0; i < MEASURE_COUNT; i++)
		if (sample_round(i) == kind)
			json_object_set_new(object, sample_name(i),
					    sample->absent[i] == 0
						? json_integer(sample->counted[i])
						: json_null());
	session_describe_end(sample, end);
	json_object_set_new(object, "ended", json_string(end));
	return object;
}

/* Divides by `unit`, the factor from the samples' unit to the unit for people. */
static json_t *interval_json(struct interval interval, double unit)
{
	if (isnan(interval.median))
		return json_null();
	return json_pack("{s:f, s:f, s:f}", "median", interval.median / unit, "low",
			 interval.low / unit, "high", interval.high / unit);
}

static json_t *summary_json(const struct session *session, size_t command)
{
	json_t *object = json_object();

	for (enum measure i = 0; i < MEASURE_COUNT; i++)
		json_object_set_new(object, sample_name(i),
				    interval_json(session_interval(session, command, i, VIEW_PLAIN),
						  sample_unit(i)));
	json_object_set_new(
	    object, "wall_ratio",
	    interval_json(session_interval(session, command, MEASURE_wall_ns, VIEW_RATIO), 1));
	return object;
}

static json_t *command_json(const struct session *session, size_t number)
{
	const struct command *command = &session->commands[number];
	json_t *samples = json_array();

	for (size_t i = 0; i < session_rounds(session); i++)
		json_array_append_new(
		    samples, sample_json(&command->samples[i], session_round_kind(session, i)));
	return json_pack("{s:o, s:o, s:o, s:o}", "program", json_text(command->program), "loader",
			 json_text(command->loader), "summary", summary_json(session, number),
			 "samples", samples);
}

static json_t *absent_json(const struct session *session)
{
	json_t *object = json_object();

	for (enum measure i = 0; i < MEASURE_COUNT; i++) {
		const char *reason = session_absent_reason(session, i);

		if (reason != NULL)
			json_object_set_new(object, sample_name(i), json_string(reason));
	}
	return object;
}

static json_t *rounds_json(const struct session *session)
{
	json_t *object = json_object();

	for (enum round_kind i = 0; i < ROUND_KINDS; i++)
		json_object_set_new(object, sample_round_name(i),
				    json_integer((json_int_t)session->rounds[i]));
	return object;
}

json_t *export_json(const struct session *session, const struct environment *environment)
{
	json_t *commands = json_array();

	for (size_t i = 0; i < session->count; i++)
		json_array_append_new(commands, command_json(session, i));
	return json_pack("{s:o, s:o, s:I, s:b, s:b, s:o, s:o}", "environment",
			 environment_json(environment), "rounds", rounds_json(session), "seed",
			 (json_int_t)session->seed, "peak_rss_exact", session_rss_exact(session),
			 "counters_user_mode_only", session_user_only(session), "absent",
			 absent_json(session), "commands", commands);
}
