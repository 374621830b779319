# What of the lab is given to others: to students, and to who grades by Gradescope or GitHub Classroom. The Makefile
# includes this.
.PHONY: lab-handout lab-autograder

lab-handout:
	@mkdir -p build
	@docs/lab/handout.py $(PART:%=--part=%) build/loader-lab$(PART:%=-%).tar.gz
	@echo build/loader-lab$(PART:%=-%).tar.gz

# setup.sh and run_autograder are at the top of the archive, as Gradescope wants them.
lab-autograder:
	@rm -rf build/autograder build/autograder.zip && mkdir -p build/autograder/lab
	@cp docs/lab/gradescope/* build/autograder/
	@cp -r docs/lab/grade.sh docs/lab/grade_all.py docs/lab/skeleton build/autograder/lab/
	@cd build/autograder && python3 -m zipfile -c ../autograder.zip setup.sh run_autograder lab
	@echo build/autograder.zip
